import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { CommandError, listOf, objectOf } from '@cloister/cli/internal'
import type { Json } from '@cloister/cli/internal'

/** The file with pnpm's settings, and the folders of its workspace. */
export const PNPM_WORKSPACE = 'pnpm-workspace.yaml'

/** `pnpm-workspace.yaml` of a project; `text` is `null` if there is none. */
export interface PnpmWorkspace {
  readonly text: string | null
  readonly patterns: readonly string[]
}

/** Reads `pnpm-workspace.yaml`. */
export async function readPnpmWorkspace(folder: string): Promise<PnpmWorkspace> {
  const text = await readFile(path.join(folder, PNPM_WORKSPACE), 'utf8').catch(() => null)
  if (text === null) return { text, patterns: [] }
  const { parse } = await import('yaml')
  try {
    return { text, patterns: listOf(objectOf(parse(text))['packages']).map(String) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(3, `${PNPM_WORKSPACE} cannot be read: ${reason}\n`, error)
  }
}

/** Returns `pnpm-workspace.yaml` with the override of Fastify. Comments and other settings stay. */
export async function withOverride({ text }: PnpmWorkspace, alias: string): Promise<string> {
  const { parseDocument } = await import('yaml')
  // Before pnpm 10, the file must name the folders of the workspace.
  const document = parseDocument(text ?? "packages:\n  - '.'\n")
  document.setIn(['overrides', 'fastify'], alias)
  const allowed = listOf(objectOf(objectOf(document.toJS())['peerDependencyRules'])['allowAny'])
  document.setIn(['peerDependencyRules', 'allowAny'], [...new Set([...allowed, 'fastify'])])
  return document.toString({ lineWidth: 0 })
}

/**
 * Returns where pnpm reads overrides. The field `pnpm` of the manifest is read before pnpm 11, `pnpm-workspace.yaml` since
 * pnpm 10.5; where both are read, the manifest wins. If the version is unknown, both are written.
 */
export function overridePlaces(major: number | null): { manifest: boolean; workspace: boolean } {
  return { manifest: major === null || major <= 10, workspace: major === null || major >= 10 }
}

/**
 * Returns the major version of pnpm that a project names in `packageManager` or `devEngines`, or that has installed it;
 * `null` if none is known.
 */
export async function pnpmMajor(folder: string, manifest: Json): Promise<number | null> {
  const { name, version } = objectOf(objectOf(manifest['devEngines'])['packageManager'])
  const installed = await readFile(path.join(folder, 'node_modules/.modules.yaml'), 'utf8').catch(() => '')
  const texts = [
    String(manifest['packageManager'] ?? ''),
    name === 'pnpm' ? `pnpm@${String(version)}` : '',
    installed,
  ]
  const found = texts
    .map((text) => /\bpnpm@[^\d\s]*(\d+)/.exec(text)?.[1])
    .find((major) => major !== undefined)
  return found === undefined ? null : Number(found)
}
