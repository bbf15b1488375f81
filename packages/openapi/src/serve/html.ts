import { createHash } from 'node:crypto'
import path from 'node:path'

import { isRecord } from '../guards.ts'
import type { OpenApiDocument } from '../types.ts'
import type { Asset } from './assets.ts'
import type { Page } from './pages.ts'

/** Returns a path relative to that of a page, so that pages work behind proxies that remove a prefix. */
export function relativeTo(page: string, target: string): string {
  return path.posix.relative(path.posix.dirname(page), target) || '.'
}

/** Returns a path relative to the URL of a page, from which `base` leads to the page's folder. */
export function linkTo(base: string, folder: string, target: string): string {
  return path.posix.join(base, relativeTo(`${folder}/page`, target))
}

/** Returns the HTML of a page, without inline scripts and styles. */
export function htmlOf(title: string, base: string, assets: readonly Asset[], nonce: string): string {
  const elements = assets.map(({ file: { name, type }, integrity }) =>
    type === 'text/css'
      ? `<link rel="stylesheet" href="${base}/${name}" integrity="${integrity}">`
      : `<script src="${base}/${name}" integrity="${integrity}"></script>`,
  )
  return frame(
    title,
    `<div id="page"></div>
<script nonce="${nonce}" src="${base}/start.js"></script>
${elements.join('\n')}`,
  )
}

const LINKS_STYLE = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fff,#14161b);color:light-dark(#1d2027,#e8eaef)}',
  'body{max-width:56rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}h1{margin:0;font-size:1.9rem;line-height:1.25}',
  'small{margin-left:.5rem;font-size:1rem;font-weight:400;color:light-dark(#5a6070,#a4abb9)}',
  'a{color:light-dark(#0b57b7,#8ab8ff)}code{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}',
  'table{width:100%;margin:2rem 0;border-collapse:collapse}caption{padding-bottom:.5rem;text-align:left;font-weight:600}',
  'th,td{padding:.5rem .9rem .5rem 0;border-top:1px solid light-dark(#d5d8de,#3a3f4a);text-align:left;vertical-align:top;font-weight:400}',
  'th b{display:inline-block;min-width:4.2rem;color:light-dark(#0f6b32,#7ee2a0)}',
  '.note{padding:.75rem 1rem;border-radius:.5rem;background:light-dark(#f4f5f7,#1d2027)}',
].join('\n')

/** Links and a style, nothing else. */
export const LINKS_POLICY: string =
  `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(LINKS_STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Returns the HTML of a page that lists operations, links to the document, and names the package that would show it. */
export function linksHtmlOf(
  { info: { title, version, description }, paths }: OpenApiDocument,
  links: readonly string[],
  packageName: string,
): string {
  const items = links.map((link) => `<a href="${escaped(link)}">${escaped(path.posix.basename(link))}</a>`)
  return frame(
    title,
    `<h1>${escaped(title)}<small>${escaped(version)}</small></h1>
${description === undefined ? '' : `<p>${escaped(description)}</p>`}
<p>The document of this API: ${items.join(', ')}</p>
<table>
<caption>Operations</caption>
${operationRows(paths).join('\n')}
</table>
<p class="note">To read the whole document here, with a form for requests, run <code>npm install ${packageName}</code> and start the app again.</p>`,
    `<style>${LINKS_STYLE}</style>\n`,
  )
}

/** A row for each operation: its method and path, and its summary. */
function operationRows(paths: OpenApiDocument['paths']): string[] {
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isRecord(operation) && 'operationId' in operation
        ? [
            `<tr><th scope="row"><code><b>${method.toUpperCase()}</b> ${escaped(template)}</code></th><td>${escaped(String(operation['summary'] ?? ''))}</td></tr>`,
          ]
        : [],
    ),
  )
}

function frame(title: string, body: string, style = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
${style}</head>
<body>
${body}
</body>
</html>
`
}

const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

/** Returns a page's content security policy: its own files, the nonce for styles, and the servers of the API. */
export function policyOf({ policy }: Page, { servers = [] }: OpenApiDocument, nonce: string): string {
  const origins = servers
    .flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []))
    // A host may contain characters that would end the directive.
    .filter((origin) => ORIGIN.test(origin))
  const connect = ["'self'", ...new Set(origins)].join(' ')
  return (
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
    `font-src 'self' data:; connect-src ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'${policy}`
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
