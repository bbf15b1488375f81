#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCancel, multiselect } from '@clack/prompts'
import { Command } from '@commander-js/extra-typings'

import { createProject, ProjectError } from './create-project.ts'
import { nextSteps } from './next-steps.ts'
import { PART_NAMES, PARTS } from './parts.ts'
import type { PartName } from './parts.ts'

const template = fileURLToPath(new URL('../template', import.meta.url))

async function ownVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version)
  throw new Error('the package has no version')
}

async function ask(): Promise<ReadonlySet<PartName>> {
  const selected = await multiselect({
    message: 'What does the project have? (space changes, enter goes on)',
    options: PART_NAMES.map((value) => ({ value, label: PARTS[value].title })),
    initialValues: PART_NAMES.filter((name) => PARTS[name].isDefault),
    required: false,
  })
  if (isCancel(selected)) throw new ProjectError('nothing was made')
  return new Set(selected)
}

async function create(given: string): Promise<void> {
  const options: Readonly<Record<string, unknown>> = program.opts()
  const isGiven = Object.keys(options).some((name) => sourceOf(name) === 'cli')
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const flags = new Set(PART_NAMES.filter((name) => options[name] === true))
  const parts = isTerminal && !isGiven ? await ask() : flags
  const folder = path.resolve(given)
  const files = await createProject({ folder, template, parts, version: await ownVersion() })
  process.stdout.write(`Made ${given}:\n${files.map((file) => `  ${file}\n`).join('')}
${nextSteps(given, process.env['npm_config_user_agent'])}`)
}

const program = new Command('create-cloister')
  .description('Makes a project with Cloister: an API with schemas and types.')
  .argument('[folder]', 'a new or empty folder, whose name is that of the project', 'cloister-app')
  .option('-y, --yes', 'ask nothing: what is not chosen by an option has its default')
  .showHelpAfterError()
  .action(create)
const sourceOf = (name: string): string | undefined =>
  Reflect.apply(program.getOptionValueSource, program, [name])
for (const name of PART_NAMES) {
  const { title, isDefault } = PARTS[name]
  program.option(isDefault ? `--no-${name}` : `--${name}`, isDefault ? `without ${title}` : title)
}

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof ProjectError)) throw error
  process.stderr.write(`create-cloister: ${error.message}\n`)
  process.exitCode = 1
}
