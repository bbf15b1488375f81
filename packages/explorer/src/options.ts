import { ExplorerError } from './errors.ts'

/** Options of the explorer. */
export interface ExplorerOptions {
  /**
   * Path of the page, below the prefix of the context that it is registered in.
   *
   * @default '/_explorer'
   */
  readonly path?: string
  /**
   * Also serves the page in production, and to clients on other machines. The page shows files, schemas and limits
   * of the app: guard it with your own hook.
   *
   * @default false
   */
  readonly allow?: boolean
  /**
   * URL that opens a line in an editor, with the placeholders `{file}` and `{line}`.
   *
   * @default 'vscode://file{file}:{line}'
   */
  readonly editorUrl?: string
}

/** The checked options with their defaults. */
export type ExplorerSettings = Required<ExplorerOptions>

const PATH = /^(?:\/[\w.~-]+)+$/

/**
 * Checks the options.
 *
 * @throws ExplorerError `CLO_ERR_EXPLORER_OPTION`
 */
export function readOptions({ path, allow, editorUrl, ...unknown }: ExplorerOptions): ExplorerSettings {
  const [name] = Object.keys(unknown)
  if (name !== undefined) throw wrong(`'${name}' is not known, only path, allow and editorUrl are`)
  const settings = {
    path: path ?? '/_explorer',
    allow: allow ?? false,
    editorUrl: editorUrl ?? 'vscode://file{file}:{line}',
  }
  if (typeof settings.path !== 'string' || !PATH.test(settings.path)) {
    throw wrong(`path must be a path such as '/_explorer', got ${JSON.stringify(path)}`)
  }
  if (typeof settings.allow !== 'boolean')
    throw wrong(`allow must be true or false, got ${JSON.stringify(allow)}`)
  if (typeof settings.editorUrl !== 'string' || !settings.editorUrl.includes('{file}')) {
    throw wrong(`editorUrl must be a URL with {file}, got ${JSON.stringify(editorUrl)}`)
  }
  return settings
}

function wrong(problem: string): ExplorerError {
  return new ExplorerError('CLO_ERR_EXPLORER_OPTION', `the option ${problem}`)
}
