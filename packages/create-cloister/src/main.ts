#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from '@commander-js/extra-typings'

import { createProject, ProjectError } from './create-project.ts'

const template = fileURLToPath(new URL('../template', import.meta.url))

async function ownVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new Error('the package has no version')
}

async function create(given: string): Promise<void> {
  const folder = path.resolve(given)
  const files = await createProject({ folder, template, version: await ownVersion() })
  process.stdout.write(`Made ${given}:\n${files.map((file) => `  ${file}\n`).join('')}
Next:
  cd ${given}
  npm install
  npm run dev
`)
}

const program = new Command('create-cloister')
  .description('Makes a project with Cloister: an API with schemas and types, a test, a Dockerfile.')
  .argument('[folder]', 'a new or empty folder, whose name is that of the project', 'cloister-app')
  .showHelpAfterError()
  .action(create)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof ProjectError)) throw error
  process.stderr.write(`create-cloister: ${error.message}\n`)
  process.exitCode = 1
}
