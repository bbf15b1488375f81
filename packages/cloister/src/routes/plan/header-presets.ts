import { remember } from '@cloister/schema/internal'
import type { Context } from '../../context/context.ts'
import type { PresetChoice, PresetHeaders } from '../../request/preset-headers.ts'
import type { RouteRecord } from '../route-record.ts'
import { decidePresets, type Contribution, type PresetField } from './decide-presets.ts'

/** The preset headers of routes (`presetHeaders`), by the contexts that decide them. */
export class HeaderPresets {
  readonly #byContext = new Map<Context, Contribution[]>()
  readonly #made = new Map<string, PresetHeaders>()
  readonly #fields = new Map<RouteRecord, readonly PresetField[]>()

  add(context: Context, contribution: Contribution): void {
    remember(this.#byContext, context, () => []).push(contribution)
  }

  /** The preset fields of a route whose plan is made. */
  fieldsOf(record: RouteRecord): readonly PresetField[] {
    return this.#fields.get(record) ?? []
  }

  /**
   * Returns the presets of a route; `null` if it has none.
   *
   * @throws `CLO_ERR_PRESET_HEADER_INVALID`
   */
  compile(record: RouteRecord, isNotFound: boolean): PresetChoice | null {
    if (this.#byContext.size === 0) return null
    const contributions = record.context.lineage().flatMap((above) => this.#byContext.get(above) ?? [])
    const decided = decidePresets(record, isNotFound, contributions, this.#made)
    if (decided !== null) this.#fields.set(record, decided.fields)
    return decided?.choice ?? null
  }
}
