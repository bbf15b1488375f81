#!/usr/bin/env node
import { runIn } from './run.ts'

const out = (text: string): void => void process.stdout.write(text)
const err = (text: string): void => void process.stderr.write(text)
process.exitCode = await runIn({ folder: process.cwd(), out, err }, process.argv.slice(2))
// An app may hold timers and connections that it never ends; the command is done once its output is written.
process.stderr.write('', () => process.stdout.write('', () => process.exit()))
