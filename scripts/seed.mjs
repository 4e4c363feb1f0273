// Loaded before each unit test of `npm test`: what fast-check draws is the same in every run. SEED=7 draws something else.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122) })
