import { cpSync } from 'node:fs'
import path from 'node:path'
import { repository } from '../../../scripts/lib/run.mjs'
import { createProject } from './project.ts'
import type { Project } from './project.ts'

/** A project with the sources of the examples and the bundlers. */
export async function createBundleProject(): Promise<Project> {
  const project = await createProject('bundlers', 'bundles')
  for (const example of ['minimal', 'bookshelf']) {
    for (const part of ['src', 'data', 'package.json']) {
      const from = path.join(repository, 'examples', example, part)
      const to = path.join(project.folder, 'examples', example, part)
      if (part !== 'data' || example === 'bookshelf') cpSync(from, to, { recursive: true })
    }
  }
  cpSync(path.join(project.folder, 'examples/bookshelf/data'), path.join(project.folder, 'data'), {
    recursive: true,
  })
  return project
}
