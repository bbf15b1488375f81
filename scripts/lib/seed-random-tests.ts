// Gives fast-check the seed of the run, so that a red test can be repeated with CLOISTER_SEED.
import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env['CLOISTER_SEED']) })
