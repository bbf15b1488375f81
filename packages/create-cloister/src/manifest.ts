/** Versions of what a new project installs. */
const VERSIONS = { node: '^24.0.0', tsx: '^4.20.0', typescript: '^7.0.0' } as const

/** The `package.json` of a new project. */
export function manifestOf(name: string, version: string): object {
  const framework = `^${version}`
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      dev: 'cloister start --watch --app src/app.ts',
      test: 'tsc && node --import tsx --test test/*.test.ts',
      routes: 'cloister routes --app src/app.ts',
      build: 'tsc -p tsconfig.build.json',
      start: 'cloister start --app dist/app.js',
    },
    dependencies: { '@cloister/cli': framework, cloister: framework },
    devDependencies: { '@types/node': VERSIONS.node, tsx: VERSIONS.tsx, typescript: VERSIONS.typescript },
  }
}
