// Sets the seed of fast-check for this run, so that a failing test can be repeated with CLOISTER_SEED.
import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env['CLOISTER_SEED']) })
