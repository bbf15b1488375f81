#!/usr/bin/env node
import { run } from './run.ts'

const { code, output, errors } = await run(process.argv.slice(2), process.cwd())
process.exitCode = code
process.stderr.write(errors)
// An app may hold timers and connections that it never ends; the command is done once its output is written.
process.stdout.write(output, () => process.exit())
