#!/usr/bin/env node
import { runMain } from './run-program.ts'
import { runIn } from './run.ts'

await runMain(runIn)
