import { APP_OPTION, JSON_OPTION } from '../command-line.ts'
import type { Program } from '../command-line.ts'
import { withApp } from '../load-app.ts'
import { printMissing, printRoute } from '../print-route.ts'
import { CommandError } from '../session.ts'
import type { Session } from '../session.ts'
import { toJson } from '../text.ts'

/** Adds `cloister explain`, which prints what requests of a route run and use, or draws the whole app. */
export function addExplain(program: Program, session: Session): void {
  program
    .command('explain')
    .description(
      'say what requests of one route run and use, as in: cloister explain GET /users/1; or draw the contexts of the app',
    )
    .argument('[method]', 'the method of the request')
    .argument('[url]', 'a URL with values, or the path of a route')
    .option('--svg', 'draw the contexts, with their hooks, decorators and routes, as an SVG image')
    .option('--mermaid', 'draw them as a flowchart of Mermaid')
    .option(
      '--diff <revision>',
      'list the routes that gained or lost hooks, guards, schemas and topics since a revision of git',
    )
    .option(...JSON_OPTION)
    .option(...APP_OPTION)
    .action(async (method, url, { app, json = false, svg = false, mermaid = false, diff }) => {
      const wanted = [svg, mermaid, diff !== undefined, method !== undefined].filter(Boolean).length
      if (wanted !== 1 || (method !== undefined && url === undefined)) {
        throw new CommandError(
          2,
          'explain takes a method and a URL, or one of --svg, --mermaid and --diff <revision>\n',
        )
      }
      if (diff !== undefined) await explainChanges(diff, app, json, session)
      else if (method !== undefined && url !== undefined) await explainRoute(method, url, app, json, session)
      else await drawContexts(app, svg, session)
    })
}

async function explainRoute(
  method: string,
  url: string,
  file: string | undefined,
  json: boolean,
  session: Session,
): Promise<void> {
  const [found, transport] = await withApp(file, session, (app) => [app.explain(method, url), app.transport])
  if (found.kind === 'missing') session.exit(1)
  if (json) session.out(toJson(found))
  else if (found.kind === 'route') session.out(printRoute(found, session, transport))
  else session.err(printMissing(found, session.folder))
}

async function drawContexts(file: string | undefined, asSvg: boolean, session: Session): Promise<void> {
  const [{ roomsOf }, { drawSvg }, { drawMermaid }] = await Promise.all([
    import('../draw/rooms.ts'),
    import('../draw/svg.ts'),
    import('../draw/mermaid.ts'),
  ])
  const rooms = await withApp(file, session, (app) => roomsOf(app.explain()))
  session.out(asSvg ? drawSvg(rooms) : drawMermaid(rooms))
}

async function explainChanges(
  revision: string,
  file: string | undefined,
  json: boolean,
  session: Session,
): Promise<void> {
  const [{ compareFacts, factsOf }, { printChanges }, { findCommit, ofRevision }] = await Promise.all([
    import('../draw/route-facts.ts'),
    import('../draw/print-changes.ts'),
    import('../diff/read-source.ts'),
  ])
  const commit = await findCommit(revision, session)
  if (commit === null) throw new CommandError(2, `'${revision}' is no revision of git\n`)
  const before = await ofRevision(commit, file, session, (old, there) => withApp(old, there, factsOf))
  const after = await withApp(file, session, factsOf)
  const changes = compareFacts(before, after)
  session.out(json ? toJson(changes) : printChanges(changes, session))
  if (changes.some(({ kind, lost }) => kind === 'changed' && lost.length > 0)) session.exit(1)
}
