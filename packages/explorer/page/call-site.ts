import { h, words } from './dom.ts'
import type { Child } from './dom.ts'

/** Makes links that open a line in the editor. */
export type Link = (callSite: string | null, text?: string) => Child

/** @param editorUrl - with `{file}` and `{line}` */
export function linker(editorUrl: string): Link {
  return (callSite, text) => {
    const [, file, line] = /^(.*):(\d+)$/.exec(callSite ?? '') ?? []
    if (callSite === null || file === undefined || line === undefined) return text ?? 'the framework'
    const href = editorUrl.replace('{file}', encodeURI(file)).replace('{line}', line)
    return h('a', { href, title: callSite }, words(text ?? `${file.split('/').slice(-2).join('/')}:${line}`))
  }
}
