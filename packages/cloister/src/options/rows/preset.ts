import { flag } from '../kinds.ts'
import { option } from '../option-row.ts'
import type { OptionRows } from '../option-row.ts'

/** The option that sets others. */
export const presetOptions: OptionRows = {
  strict: option(flag, false, {
    doc: 'Sets the safe value of every option that says "with `strict`"; recommended for new apps. An option that is given wins over it, but for values of `trustProxy` that believe every client.',
    fastify4: 'ours',
    example: '{ strict: true }',
    shown: 'given',
  }),
}
