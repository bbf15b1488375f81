import path from 'node:path'

import { objectOf, readSources } from '@cloister/cli/internal'
import type { Json } from '@cloister/cli/internal'
import type { PeerRows } from './equal.ts'
import { peersOf } from './peers.ts'
import { parseFiles, registrationsIn } from './registrations.ts'
import type { LoadedOnly, Registration } from './registrations.ts'
import { usesIn } from './route-uses.ts'
import type { Use } from './route-uses.ts'

/** A registration of a plugin, and the equal options of `@cloister/web`. */
export interface Mapped {
  readonly plugin: string
  readonly callSite: string
  /** Options of `web` by their paths, with their source text. */
  readonly options: Readonly<Record<string, string>>
  /** What to know, with the option that it is about. */
  readonly notes: readonly string[]
}

/** What `@cloister/web` replaces in a project. */
export interface WebPlan {
  readonly registrations: readonly Mapped[]
  /** Plugins that are loaded, but not registered where the command can see it. */
  readonly unmapped: readonly string[]
  readonly uses: readonly Use[]
}

/** Finds the plugins that `@cloister/web` replaces in the source files of a project, and the equal options. */
export async function planWeb(folder: string, manifest: Json): Promise<WebPlan> {
  const peers = peersOf(folder)
  const isPeer = (name: string): boolean => Object.hasOwn(peers, name)
  const sources = await readSources(folder, ['dist', 'build', 'out', 'vendor'])
  const named = sources.map((one) => ({
    name: path.relative(folder, one.path).replaceAll('\\', '/'),
    text: one.text,
  }))
  const files = await parseFiles(named.filter(({ text }) => /fastify|cookies|csrf/i.test(text)))
  const found = files.map((file) => registrationsIn(file, isPeer))
  const registrations = found.flatMap((one) => one.registrations)
  const loaded = found.flatMap((one) => one.loaded)
  const known = new Set([...registrations, ...loaded].map(({ plugin }) => plugin))
  return {
    registrations: registrations.map((one) => mapped(one, peers[one.plugin])),
    unmapped: [...loaded.map(notRegistered), ...notLoaded(manifest, isPeer, known)],
    uses: files.flatMap(usesIn).filter(({ plugin }) => known.has(plugin)),
  }
}

const notRegistered = ({ plugin, callSite }: LoadedOnly): string =>
  `${callSite} loads ${plugin}, and no call of register with it is in this file: map its options by hand`

function notLoaded(manifest: Json, isPeer: (name: string) => boolean, known: ReadonlySet<string>): string[] {
  const names = Object.keys(objectOf(manifest['dependencies'])).filter(
    (name) => isPeer(name) && !known.has(name),
  )
  return names.map((name) => `package.json depends on ${name}, and no source file here loads it`)
}

/** Options of `register`, which any plugin has. */
const OF_REGISTER = ['prefix', 'logLevel', 'logSerializers', 'encapsulate']

function mapped({ plugin, callSite, given, unread }: Registration, peer: PeerRows | undefined): Mapped {
  const notes = unread.map((text) => `${text}: not an object in this file; map its options by hand`)
  if (peer === undefined || given === null) return { plugin, callSite, options: {}, notes }
  const { defaults, rows } = peer
  const options: Record<string, string> = {}
  const add = (name: string | null, { options: found, note }: ReturnType<PeerRows['defaults']>): void => {
    Object.assign(options, found)
    if (note !== null) notes.push(name === null ? note : `${name}: ${note}`)
  }
  const known = Object.entries(given).filter(([name]) => !OF_REGISTER.includes(name))
  add(null, defaults(Object.fromEntries(known)))
  for (const [name, value] of known) {
    if (value.literal?.value === undefined && value.literal !== null) continue
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row === undefined)
      notes.push(
        `${name}: no option of ${plugin} that this command knows; it had no effect, or map it by hand`,
      )
    else add(name, row(value, given))
  }
  return { plugin, callSite, options, notes }
}
