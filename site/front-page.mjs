// The front page, made from the first screen of the README: what it is, how to install it, ten lines, three reasons.

/** @param {string} readme the text of README.md */
export function frontPage(readme) {
  const sentence = part(readme, /^# .*\n\n(.+)\n/)
  const install = part(readme, /```sh\n([^]*?)```/).trim()
  const example = part(readme, /```ts run\n([^]*?)```/).trim()
  const said = part(readme, /```ts run\n[^]*?```\n\n(.+)\n/)
  const reasons = [...readme.matchAll(/^- \*\*(.+?)\.?\*\* (.+)$/gm)].slice(0, 3)
  if (reasons.length !== 3)
    throw new Error('README.md: "Why Cloister" needs three reasons, as `- **title.** text`')
  return `---
layout: home
title: Cloister
titleTemplate: ${quoted('A schema-validating web framework for Node.js')}
hero:
  name: Cloister
  text: JSON Schema in, JSON Schema out
  tagline: ${quoted(sentence)}
  actions:
    - { theme: brand, text: Get started, link: /guide/getting-started }
    - { theme: alt, text: Try it here, link: /playground }
    - { theme: alt, text: Move from Fastify, link: /migrating }
features:
${reasons.map(([, title = '', text = '']) => `  - { title: ${quoted(title)}, details: ${quoted(html(text))} }`).join('\n')}
---

## Start

\`\`\`sh
${install}
\`\`\`

\`\`\`ts
${example}
\`\`\`

${said}
`
}

/** @param {string} text @param {RegExp} pattern */
function part(text, pattern) {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`README.md: its first screen has no ${pattern}`)
  return found
}

/** @param {string} text */
const quoted = (text) => JSON.stringify(text)

/** The few marks of Markdown that reasons use; links of the repository go. @param {string} text */
const html = (text) =>
  text
    .replaceAll(/ \(\[[^\]]+\]\([^)]+\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
