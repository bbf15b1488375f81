#!/usr/bin/env node
import { runMain } from '@cloister/cli/internal'
import { migrate } from './command.ts'

await runMain(migrate)
