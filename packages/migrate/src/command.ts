import { writeFile } from 'node:fs/promises'
import path from 'node:path'

import { Option } from '@commander-js/extra-typings'

import { runProgram, toJson } from '@cloister/cli/internal'
import type { ExitCode, Place, Program, Session } from '@cloister/cli/internal'
import { checkClean, readProject, undoMove, writeMove } from './project.ts'
import type { Project } from './project.ts'
import type { ProofOptions } from './prove.ts'
import { hasEvidence, isProven, printReport, summaryOf } from './report.ts'
import type { WebPlan } from './web/plan.ts'
import { planText } from './web/print.ts'

const REPORT = 'cloister-migrate'
const SAFE = 'GET,HEAD,OPTIONS'

/**
 * Moves a project to Cloister and reports differences.
 *
 * @param place - the folder of the project, and the outputs
 * @param args - as after `cloister migrate`
 */
export async function migrate(place: Place, args: readonly string[]): Promise<ExitCode> {
  return runProgram('cloister migrate', place, args, addOptions)
}

function addOptions(program: Program, session: Session): void {
  program
    .description(
      'Moves a project from Fastify to Cloister and proves it: runs its tests and sends requests before and after, and reports what differs.',
    )
    .addOption(
      new Option('--from <framework>', 'express mounts the app of Express whole and lists its routes')
        .choices(['fastify', 'express'])
        .default('fastify'),
    )
    .option('--native', "import 'cloister' instead of an alias: rewrites the imports too")
    .option('--no-proof', 'write the files alone; install nothing and run nothing')
    .option('--dry-run', 'print what would be written')
    .option('--undo', 'write the files as they were')
    .option('--force', 'also where git has changes that are not committed')
    .option('--app <file>', 'the file that makes or exports the app (default: found by its name)')
    .option('--test <command>', 'the command that runs the tests (default: the script test)')
    .option('--install <command>', 'the command that installs (default: that of the package manager)')
    .option('--alias <package>', 'what fastify becomes in package.json')
    .option('--methods <list>', 'methods of generated requests', SAFE)
    .action(async ({ dryRun = false, undo = false, force = false, native = false, alias, ...given }) => {
      if (undo) return undoMove(session, force)
      if (given.from === 'express') {
        const { moveFromExpress } = await import('./from-express.ts')
        return moveFromExpress(session, { app: given.app, dryRun, force })
      }
      const project = await readProject(session.folder, { native, alias })
      const { manager, files, install } = project
      const what = native ? "cloister, and the imports 'cloister'" : (alias ?? 'npm:@cloister/fastify')
      session.out(`${manager.name}, ${files.map(({ name }) => name).join(', ')}: fastify becomes ${what}\n`)
      const { planWeb } = await import('./web/plan.ts')
      const plan = await planWeb(session.folder, project.manifest)
      if (dryRun) {
        session.out(files.map(({ name, after }) => `\n${name}\n${after}`).join('') + planText(plan))
        return
      }
      if (!force) await checkClean(session.folder)
      if (given.proof) {
        const methods = given.methods.toUpperCase().split(',')
        return proveMove(session, project, { ...given, methods, native }, plan)
      }
      await writeMove(session.folder, project)
      session.out(
        `${planText(plan)}Next, run ${install} and your tests. npx @cloister/cli doctor lists code that behaves differently\n${BACK}`,
      )
    })
}

const BACK = 'To undo the change: npx @cloister/migrate --undo, then install again\n'

async function proveMove(
  session: Session,
  project: Project,
  options: Partial<ProofOptions> & Pick<ProofOptions, 'methods' | 'native'>,
  plan: WebPlan,
): Promise<void> {
  const { prove } = await import('./prove.ts')
  const { folder, out } = session
  const { app, test, install, methods, native } = options
  const proof = await prove(session, project, { app, test, install, methods, native }, () =>
    writeMove(folder, project),
  )
  await writeFile(path.join(folder, `${REPORT}.md`), printReport(proof, plan))
  await writeFile(path.join(folder, `${REPORT}.json`), toJson({ ...proof, web: plan }))
  const verdict = isProven(proof)
    ? 'No difference needs your attention'
    : hasEvidence(proof)
      ? 'Something differs: read the report'
      : 'Nothing was compared, because no test passed before the change, and no request got a response'
  out(`${summaryOf(proof).join('\n')}\n${verdict}. The report is ${REPORT}.md\n${BACK}`)
  if (!isProven(proof)) session.exit(1)
}
