import { collectOutcome } from '@cloister/cli/internal'
import type { Outcome } from '@cloister/cli/internal'
import { migrate } from '../src/command.ts'

/** Runs the command in a folder, and returns what it printed. */
export const run = (args: readonly string[], folder: string): Promise<Outcome> =>
  collectOutcome(folder, (place) => migrate(place, args))
