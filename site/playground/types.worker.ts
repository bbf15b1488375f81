// The compiler of TypeScript, for the editor of the playground: what it has against the text, what may follow, and
// what a name is. It is loaded when the editor is first used.
import ts from 'typescript'
import type { Completion, Problem, TypesValueOf, TypesQuestion } from './types.ts'

const FILE = '/app.ts'
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  lib: ['lib.es2023.d.ts', 'lib.webworker.d.ts', 'lib.webworker.iterable.d.ts'],
  strict: true,
  noImplicitOverride: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
}

/** The codes from here on are about types, except those for a name that is declared twice. */
const FIRST_OF_TYPES = 2000
const DECLARED_TWICE = [2300, 2451]

let files: Readonly<Record<string, string>> = {}
let text = ''
let version = 0

const read = (name: string): string | undefined => (name === FILE ? text : files[name])
const service = ts.createLanguageService({
  getCompilationSettings: () => OPTIONS,
  getScriptFileNames: () => [FILE, '/node.d.ts'],
  getScriptVersion: (name) => (name === FILE ? String(version) : '0'),
  getScriptSnapshot: (name) => {
    const found = read(name)
    return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
  },
  getCurrentDirectory: () => '/',
  getDefaultLibFileName: () => '/lib/lib.es2023.d.ts',
  fileExists: (name) => read(name) !== undefined,
  readFile: read,
})

const replies: { [Kind in TypesQuestion['kind']]: (question: TypesQuestion & { kind: Kind }) => unknown } = {
  load: ({ files: given }) => {
    files = given
  },
  problems: (): Problem[] =>
    [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)].map(
      ({ start = 0, length = 1, messageText, code }) => ({
        from: start,
        to: start + length,
        message: ts.flattenDiagnosticMessageText(messageText, '\n'),
        isSyntax: code < FIRST_OF_TYPES || DECLARED_TWICE.includes(code),
      }),
    ),
  completions: ({ position }): Completion[] =>
    (service.getCompletionsAtPosition(FILE, position, {})?.entries ?? []).map(({ name, kind, sortText }) => ({
      name,
      kind,
      sortText,
    })),
  hover: ({ position }) => {
    const found = service.getQuickInfoAtPosition(FILE, position)
    if (found === undefined) return null
    const { textSpan, displayParts, documentation } = found
    return {
      from: textSpan.start,
      to: textSpan.start + textSpan.length,
      type: ts.displayPartsToString(displayParts),
      says: ts.displayPartsToString(documentation),
    } satisfies TypesValueOf<'hover'>
  },
}

addEventListener(
  'message',
  ({ data }: MessageEvent<{ id: number; text: string; question: TypesQuestion }>) => {
    if (data.text !== text) {
      text = data.text
      version++
    }
    const reply = replies[data.question.kind] as (question: TypesQuestion) => unknown
    postMessage({ id: data.id, value: reply(data.question) })
  },
)
