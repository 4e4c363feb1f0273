// Loaded before each unit test of `npm test`: fast-check uses the same values in every run. SEED=7 uses others.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122) })
