import { describe, expect, it } from 'vitest'

import { nextSteps } from '../src/next-steps.ts'

describe('the commands after the creation of a project', () => {
  it('are those of the package manager that created it', () => {
    expect(nextSteps('my-api', undefined)).toContain('  npm install\n  npm run dev\n')
    expect(nextSteps('my-api', 'npm/10.8.2 node/v20.20.2 linux x64')).toContain('  npm install\n')
    expect(nextSteps('my-api', 'pnpm/9.15.0 npm/? node/v20.20.2')).toContain(
      '  pnpm install\n  pnpm run dev\n',
    )
    expect(nextSteps('my-api', 'yarn/4.1.0 npm/? node/v20.20.2')).toContain(
      '  yarn install\n  yarn run dev\n',
    )
    expect(nextSteps('my-api', 'bun/1.1.0 npm/? node/v20.20.2')).toContain('  bun install\n  bun run dev\n')
  })

  it('have the folder in quotes where a shell would split it', () => {
    expect(nextSteps('apps/my-api', undefined)).toContain('  cd apps/my-api\n')
    expect(nextSteps('my projects/my-api', undefined)).toContain('  cd "my projects/my-api"\n')
  })
})
