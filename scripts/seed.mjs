// Loaded before each unit test in `npm test`, so that fast-check uses the same values every time. To use
// different ones, set SEED (for example, SEED=7).
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122) })
