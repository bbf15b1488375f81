#!/usr/bin/env node
import { runIn } from './run.ts'

const out = (text: string): void => void process.stdout.write(text)
const err = (text: string): void => void process.stderr.write(text)
const { stdout, env } = process
// Files and pipes get whole lines; they have colours where the user asks for them.
const width = stdout.isTTY ? stdout.columns : Infinity
const colours = stdout.isTTY
  ? stdout.hasColors()
  : (env['FORCE_COLOR'] ?? '0') !== '0' && (env['NO_COLOR'] ?? '') === ''
process.exitCode = await runIn({ folder: process.cwd(), width, colours, out, err }, process.argv.slice(2))
// An app may hold timers and connections that it never ends; the command is done once its output is written.
process.stderr.write('', () => process.stdout.write('', () => process.exit()))
