// Loaded before each unit test in `npm test`, so that fast-check uses the same values every time. Set SEED=7,
// for example, to use different ones.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122) })
