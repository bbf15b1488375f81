import { Session, type Profiler } from 'node:inspector/promises'

/** A function and the share of the samples in which it was on top of the stack. */
export interface SelfTime {
  readonly name: string
  readonly share: number
}

/** Starts V8's sampling profiler; the returned function stops it and gives the profile. */
export async function startCpuProfile(): Promise<() => Promise<Profiler.Profile>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 250 })
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return profile
  }
}

/** The functions with the most time of their own, dearest first. */
export function topSelfTimes(profile: Profiler.Profile, count: number): SelfTime[] {
  const names = new Map(profile.nodes.map((node) => [node.id, nameOf(node.callFrame)]))
  const times = new Map<string, number>()
  const deltas = profile.timeDeltas ?? []
  let total = 0
  profile.samples?.forEach((id, index) => {
    const name = names.get(id) ?? '(unknown)'
    if (name === '(idle)') return
    const time = deltas[index] ?? 0
    total += time
    times.set(name, (times.get(name) ?? 0) + time)
  })
  return [...times]
    .map(([name, time]) => ({ name, share: time / total }))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, count)
}

function nameOf(frame: Profiler.Profile['nodes'][number]['callFrame']): string {
  const name = frame.functionName === '' ? '(anonymous)' : frame.functionName
  if (frame.url === '') return name
  const place = frame.url.replace(/^.*\/node_modules\//, '').replace(/^.*\/packages\//, '')
  return `${name} ${place}:${frame.lineNumber + 1}`
}
