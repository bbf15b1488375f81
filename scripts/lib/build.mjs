// Builds the packages and the examples, for tests that use them as users do; quick when nothing has changed.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { bundlePackages } from './bundle.mjs'
import { alone } from './lock.mjs'
import { namePrivateMembers } from './private-members.mjs'
import { repository, run } from './run.mjs'

/** Compiles them to their `dist` folders and bundles the packages; throws the compiler's message if that fails. */
export async function build() {
  // Test files may build at the same time.
  await alone(`build-${repository}`, async () => {
    const { code, output } = await run(['tsc', '-b', 'tsconfig.build.json', '--pretty', 'false'])
    if (code !== 0) throw new Error(`the packages cannot be built:\n${output}`)
    const packages = path.join(repository, 'packages')
    for (const name of readdirSync(packages)) namePrivateMembers(path.join(packages, name))
    await bundlePackages(repository)
  })
}
