// Vercel and Netlify take the default export of a function file: an object with `fetch`, or a function.
import { createApp } from './app.ts'

const { fetch } = createApp()

export default { fetch }
