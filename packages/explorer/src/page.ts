import { createHash } from 'node:crypto'

import { SCRIPT, STYLE } from './page.generated.ts'

/** The page. Its policy allows its own script and style, and requests to its own origin. */
export const PAGE: string = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Explorer</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div id="root"><main><h1>Explorer</h1><p>Loading the app …</p></main></div>
<script type="module">${SCRIPT}</script>
</body>
</html>
`

/** Content Security Policy Level 3. */
export const POLICY: string = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
