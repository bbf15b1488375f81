// Builds the packages and the examples for what looks at them as users do; quick when nothing changed.
import { bundlePackages } from './bundle.mjs'
import { alone } from './lock.mjs'
import { repository, run } from './run.mjs'

/** Compiles them to their `dist` folders and bundles the packages; throws what the compiler says of a mistake. */
export async function build() {
  // Test files build beside each other.
  await alone(`build-${repository}`, async () => {
    const { code, output } = await run(['tsc', '-b', 'tsconfig.build.json', '--pretty', 'false'])
    if (code !== 0) throw new Error(`the packages cannot be built:\n${output}`)
    await bundlePackages(repository)
  })
}
