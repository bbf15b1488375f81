#!/usr/bin/env node
import { runIn } from './run.ts'

const out = (text: string): void => void process.stdout.write(text)
const err = (text: string): void => void process.stderr.write(text)
const { stdout, env } = process
// Lines are not cut in files and pipes, which have colours only if the user asks for them.
const width = stdout.isTTY ? stdout.columns : Infinity
const colours = stdout.isTTY
  ? stdout.hasColors()
  : (env['FORCE_COLOR'] ?? '0') !== '0' && (env['NO_COLOR'] ?? '') === ''
process.exitCode = await runIn({ folder: process.cwd(), width, colours, out, err }, process.argv.slice(2))
// An app may have timers and connections that never end; so the process exits when the output is written.
process.stderr.write('', () => process.stdout.write('', () => process.exit()))
