// `npm run docs` builds the site and serves it; with `--build` it only builds it, to `site/.built`.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

const site = import.meta.dirname
const run = (/** @type {string} */ command, /** @type {string[]} */ ...words) =>
  execFileSync(command, words, { cwd: site, stdio: 'inherit' })

if (!existsSync(path.join(site, 'node_modules'))) run('npm', 'ci', '--ignore-scripts')
run(process.execPath, 'prepare.mjs')
run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', 'build')
if (!process.argv.includes('--build')) {
  run(
    process.execPath,
    'node_modules/vitepress/bin/vitepress.js',
    'preview',
    '--port',
    process.env['PORT'] ?? '4173',
  )
}
