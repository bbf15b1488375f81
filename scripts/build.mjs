// `npm run build`: what is published, and the examples.
import { bundlePackages } from './lib/bundle.mjs'
import { repository, run } from './lib/run.mjs'

const { code, output } = await run(['tsc', '-b', 'tsconfig.build.json'])
if (output.trim() !== '') console.log(output.trim())
if (code === 0) await bundlePackages(repository)
process.exitCode = code
