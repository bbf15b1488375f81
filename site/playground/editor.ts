// The editor. The types of Cloister are loaded when it is first used.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Tooltip } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { compile } from './compile.ts'
import type { Place } from './protocol.ts'
import { Types } from './types.ts'

/** An editor of one module. */
export interface Editor {
  text: string
  /** Moves to a place and shows it. */
  goTo: (place: Place) => void
  /** The first place that the compiler cannot read, and why. */
  firstSyntaxError: () => Promise<(Place & { readonly message: string }) | null>
  close: () => void
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--pg-keyword)' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--pg-string)' },
  { tag: [tags.comment], color: 'var(--pg-comment)' },
  { tag: [tags.number, tags.bool, tags.null, tags.propertyName], color: 'var(--pg-constant)' },
  { tag: [tags.typeName, tags.className, tags.function(tags.variableName)], color: 'var(--pg-name)' },
])

/** Makes the editor. @param changed - is called when the text has changed, by the user or by `text` */
export function createEditor(parent: HTMLElement, text: string, changed: () => void): Editor {
  const types = new Types()
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: text, extensions: [looks(), edits(), knows(types)] }),
    dispatch: (transaction, self) => {
      self.update([transaction])
      if (transaction.docChanged) changed()
    },
  })
  const load = (): void => {
    if (!types.isLoaded) void types.load().then(() => forceLinting(view))
  }
  view.dom.addEventListener('focusin', load, { once: true })
  view.dom.addEventListener('pointerenter', load, { once: true })
  return {
    get text() {
      return view.state.doc.toString()
    },
    set text(value) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
    },
    goTo: (place) => {
      const at = offsetOf(view.state, place)
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
      view.focus()
      forceLinting(view)
    },
    firstSyntaxError: async () => {
      const all = await types.problems(view.state.doc.toString())
      const first = all.find(({ isSyntax }) => isSyntax)
      if (first === undefined) return null
      const line = view.state.doc.lineAt(first.from)
      return { line: line.number, column: first.from - line.from + 1, message: first.message }
    },
    close: () => view.destroy(),
  }
}

const looks = () => [
  lineNumbers(),
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  highlightSelectionMatches(),
  syntaxHighlighting(COLOURS),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': 'The module of the app' }),
]

const edits = () => [
  history(),
  indentOnInput(),
  closeBrackets(),
  search({ top: true }),
  javascript({ typescript: true }),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
]

const knows = (types: Types) => [
  lintGutter(),
  linter(({ state }) => problemsOf(types, state), { delay: 400 }),
  autocompletion({ override: [(context) => completionsOf(types, context)] }),
  hoverTooltip((view, position) => tooltipOf(types, view.state, position)),
]

function offsetOf({ doc }: EditorState, { line, column }: Place): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines))
  return Math.min(found.from + column - 1, found.to)
}

/** What the text has against it: syntax at once, types when the compiler is loaded. */
async function problemsOf(types: Types, state: EditorState): Promise<Diagnostic[]> {
  const text = state.doc.toString()
  const length = state.doc.length
  if (types.isLoaded) {
    const found = await types.problems(text)
    return found.map(({ from, to, message }) => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
      severity: 'error',
      message,
    }))
  }
  const { problem } = compile(text)
  if (problem === null) return []
  const from = offsetOf(state, problem)
  return [{ from, to: Math.min(from + 1, length), severity: 'error', message: problem.message }]
}

const KINDS: Readonly<Record<string, string>> = {
  method: 'method',
  property: 'property',
  function: 'function',
  'local function': 'function',
  const: 'constant',
  let: 'variable',
  parameter: 'variable',
  class: 'class',
  interface: 'interface',
  type: 'type',
  keyword: 'keyword',
  module: 'namespace',
}

async function completionsOf(types: Types, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]*/)
  const isAfterDot = context.matchBefore(/\.\w*/) !== null
  if (word === null || (word.from === word.to && !isAfterDot && !context.explicit)) return null
  const found = await types.completions(context.state.doc.toString(), context.pos)
  const options = found.map(({ name, kind, sortText }): Completion => {
    const boost = -Math.min(Number.parseInt(sortText, 10) || 0, 99)
    return { label: name, boost, ...(KINDS[kind] === undefined ? {} : { type: KINDS[kind] }) }
  })
  return { from: word.from, options, validFor: /^[\w$]*$/ }
}

async function tooltipOf(types: Types, state: EditorState, position: number): Promise<Tooltip | null> {
  const found = await types.hover(state.doc.toString(), position)
  if (found === null) return null
  const create = () => {
    const dom = document.createElement('div')
    dom.className = 'cm-type'
    const code = document.createElement('code')
    code.textContent = found.type
    dom.append(code, ...(found.says === '' ? [] : [document.createElement('br'), found.says]))
    return { dom }
  }
  return { pos: found.from, end: found.to, create }
}
