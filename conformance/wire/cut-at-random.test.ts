import { describeCorpus } from './describe-corpus.ts'

// The seed of all random tests; `npm run test:random` draws new ones.
describeCorpus('requests cut at random places', { seed: Number(process.env['CLOISTER_SEED'] ?? 7) })
