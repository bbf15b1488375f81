// What the search of the site finds first: the guide and the recipes, then the reference, then evidence and what is
// generated from the types; and the pages that a newcomer wants for words which the pages themselves seldom use.

/** Words that readers look for, by the page that they want. @type {Readonly<Record<string, string>>} */
export const LANDINGS = {
  'docs/guide/getting-started.md': 'hot reload, watch, nodemon, install, quick start',
  'docs/guide/hooks.md': 'middleware, interceptors, app.use, lifecycle',
  'docs/guide/guards.md': 'authorization, permissions, roles',
  'docs/guide/replies-and-errors.md': 'error handling, error handler, exceptions, not found',
  'docs/guide/testing.md': 'test, tests, testing, supertest',
  'docs/guide/logging.md': 'logger, pino, morgan, winston',
  'docs/guide/production.md': 'bodyLimit, payload too large, maximum body size, timeouts, graceful shutdown',
  'docs/recipes/static-files.md': 'static files, assets, single page app, sendFile',
  'docs/recipes/edge.md': 'rate limit, rate limits, rate limiting, throttle, helmet',
  'docs/recipes/cors.md': 'CORS, cross-origin',
  'docs/recipes/websockets.md': 'WebSocket, WebSockets, ws',
  'docs/recipes/server-sent-events.md': 'SSE, EventSource, streaming',
  'docs/recipes/uploads.md': 'file upload, file uploads, multipart, form data, multer',
  'docs/recipes/database.md': 'database, Prisma, Drizzle, ORM, Postgres, MySQL, MongoDB',
  'docs/recipes/deploying.md': 'health check, health checks, probes, readiness, liveness',
  'docs/typescript.md': 'TypeScript, types, type provider, inference',
  'docs/schemas.md': 'JSON Schema',
  'docs/validator.md': 'ajv, coercion, coerceTypes',
  'docs/expensive-inputs.md': 'ReDoS, catastrophic backtracking',
  'docs/guide/validation.md': 'zod, valibot, arktype, TypeBox, Standard Schema, joi, yup',
  'docs/guide/openapi.md': 'OpenAPI, Swagger, Scalar',
}

/** How much a result counts. It runs in the browser, as text, so it uses nothing from outside. @param {string} id @param {string} term */
function boostDocument(id, term) {
  if (/\/recipes\/edge#a-public-app/.test(id) && /^(rate|limits?|limiting|throttle)$/.test(term)) return 4
  if (/\/(guide|recipes)\//.test(id)) return 2
  if (/\/(typescript|schemas|validator|options|errors|migrating|serialization)(#|$)/.test(id)) return 1.4
  if (/\/(evidence|reference|changelog|benchmarks|dependencies|threat-model)/.test(id)) return 0.2
  return 0.8
}

/** @type {import('vitepress').DefaultTheme.LocalSearchOptions} */
export const search = {
  miniSearch: { searchOptions: { boostDocument } },
  _render(source, env, md) {
    const html = md.render(source, env)
    if (env.frontmatter?.search === false) return ''
    const words = LANDINGS[env.frontmatter?.source ?? '']
    // Thrice, behind the title, so that the page comes before those that only mention the words.
    return words === undefined ? html : html.replace(/<\/h1>/, `</h1><p>${words}. ${words}. ${words}.</p>`)
  },
}
