// The versions of the documentation: this one, and the last of each earlier minor version, which stays under `/v/0.1/`.

/**
 * Lists the earlier minor versions that a changelog has, the newest first.
 *
 * @param {string} changelog - with headings such as `## 0.1.2 - 2026-12-01`
 * @param {string} current - the version of this documentation
 * @returns {{ text: string, link: string, target: '_self' }[]} entries of a menu
 */
export function earlierVersions(changelog, current) {
  const released = [...changelog.matchAll(/^## \[?(\d+)\.(\d+)\.\d+/gm)].map(
    ([, major, minor]) => `${major}.${minor}`,
  )
  const [, own] = /^(\d+\.\d+)\./.exec(current) ?? []
  return [...new Set(released)]
    .filter((one) => one !== own)
    .map((one) => ({ text: one, link: `/v/${one}/`, target: '_self' }))
}
