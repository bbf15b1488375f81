// The editor with the types of Cloister. It is loaded when the playground is opened, and by no other page.
import * as monaco from 'monaco-editor/editor/editor.api'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import * as typescript from 'monaco-editor/language/typescript/monaco.contribution'
import TypeScriptWorker from 'monaco-editor/language/typescript/ts.worker?worker'
import 'monaco-editor/languages/definitions/typescript/register'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/comment/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/parameterHints/register'
import 'monaco-editor/features/suggest/register'
import declarations from '../types.generated.json?url'

/** An editor of one module. */
export interface Editor {
  text: string
  /** Says that the text has changed. */
  onChange: (changed: () => void) => void
  /** The module as CommonJS. */
  compiled: () => Promise<string>
  dark: (isDark: boolean) => void
  /** What the compiler has against the text, once it has read it. */
  problems: () => Promise<readonly string[]>
}

export async function createEditor(element: HTMLElement, text: string, isDark: boolean): Promise<Editor> {
  globalThis.MonacoEnvironment = {
    getWorker: (_id, label) => (label === 'typescript' ? new TypeScriptWorker() : new EditorWorker()),
  }
  const language = typescript.typescriptDefaults
  language.setCompilerOptions({
    target: typescript.ScriptTarget.ESNext,
    module: typescript.ModuleKind.CommonJS,
    moduleResolution: typescript.ModuleResolutionKind.NodeJs,
    lib: ['es2023', 'dom', 'dom.iterable'],
    strict: true,
    noImplicitOverride: true,
    skipLibCheck: true,
    allowNonTsExtensions: true,
    allowImportingTsExtensions: true,
    types: [],
  })
  language.setEagerModelSync(true)
  const files: Record<string, string> = await (await fetch(declarations)).json()
  language.setExtraLibs(Object.entries(files).map(([filePath, content]) => ({ filePath, content })))

  // The comments of the dark theme have too little contrast.
  const rules = [{ token: 'comment', foreground: '7ca668' }]
  monaco.editor.defineTheme('dark', { base: 'vs-dark', inherit: true, rules, colors: {} })
  const uri = monaco.Uri.parse('file:///app.ts')
  const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel('', 'typescript', uri)
  model.setValue(text)
  monaco.editor.create(element, {
    model,
    theme: isDark ? 'dark' : 'vs',
    minimap: { enabled: false },
    automaticLayout: true,
    scrollBeyondLastLine: false,
    renderFinalNewline: 'on', // dimmed, it has too little contrast
    fontSize: 13,
    tabSize: 2,
    ariaLabel: 'The module of the app',
    fixedOverflowWidgets: true,
  })
  const service = async () => (await languageService())(uri)
  return {
    get text() {
      return model.getValue()
    },
    set text(value) {
      model.setValue(value)
    },
    onChange: (changed) => void model.onDidChangeContent(changed),
    compiled: async () => (await (await service()).getEmitOutput(uri.toString())).outputFiles[0]?.text ?? '',
    dark: (dark) => monaco.editor.setTheme(dark ? 'dark' : 'vs'),
    problems: async () => {
      const worker = await service()
      const found = [
        ...(await worker.getSyntacticDiagnostics(uri.toString())),
        ...(await worker.getSemanticDiagnostics(uri.toString())),
      ]
      return found.map(({ messageText }) =>
        typeof messageText === 'string' ? messageText : messageText.messageText,
      )
    },
  }
}

type LanguageService = Awaited<ReturnType<typeof typescript.getTypeScriptWorker>>

/** The language service is loaded when the first model of its language exists, and says no until then. */
async function languageService(): Promise<LanguageService> {
  for (;;) {
    try {
      return await typescript.getTypeScriptWorker()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
  }
}
