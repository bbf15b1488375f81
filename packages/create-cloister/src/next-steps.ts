/**
 * Returns the commands that come after the creation of a project.
 *
 * @param given - the folder, as the user has written it
 * @param agent - `npm_config_user_agent` of the environment: the package manager that runs this, with its version
 */
export function nextSteps(given: string, agent: string | undefined): string {
  const manager = /^(?:pnpm|yarn|bun)(?=\/)/.exec(agent ?? '')?.[0] ?? 'npm'
  const folder = /^[\w./\\:@-]+$/.test(given) ? given : `"${given}"`
  return `Next:
  cd ${folder}
  ${manager} install
  ${manager} run dev
  curl localhost:3000/health
`
}
