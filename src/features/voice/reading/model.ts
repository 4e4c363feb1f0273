// A log-linear model: a choice's score is the sum of its features' weights, and a softmax turns scores into
// probabilities. All questions share one hashed weight table.

/** Size of the weight table, a power of two; each weight is one byte when committed. */
const PLACES = 2 ** 20
/** The value of one unit in a packed weight. */
const STEP = 1 / 32

export type Features = Int32Array
export type Weights = Int8Array | Float32Array

/** Hashes a feature to its index in the weight table (FNV-1a, 32 bits). */
function placeOf(feature: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < feature.length; index += 1)
    hash = Math.imul(hash ^ feature.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) & (PLACES - 1)
}

/** Hashes the features of a question to indexes. */
export function hashed(features: string[], question: string): Features {
  return Int32Array.from(features, (feature) => placeOf(`${question} ${feature}`))
}

function scoreOf(weights: Weights, features: Features): number {
  let sum = 0
  for (const place of features) sum += weights[place] ?? 0
  return weights instanceof Int8Array ? sum * STEP : sum
}

/** The probability of each choice; they add up to 1. @param known a prior score for each choice */
export function probabilities(weights: Weights, choices: Features[], known: number[] = []): number[] {
  const scores = choices.map((features, index) => scoreOf(weights, features) + (known[index] ?? 0))
  const most = scores.reduce((best, score) => Math.max(best, score), -Infinity)
  const parts = scores.map((score) => Math.exp(score - most))
  const sum = parts.reduce((total, part) => total + part, 0)
  return parts.map((part) => part / sum)
}

/** A training question: its choices, and which are right. More than one may be. */
export interface Example {
  choices: Features[]
  right: boolean[]
}

/** Trains the weights with AdaGrad, shuffling the examples the same way every time. */
export function learn(examples: Example[], { rounds = 8, rate = 0.12, decay = 2e-5 } = {}): Float32Array {
  const weights = new Float32Array(PLACES)
  const squares = new Float32Array(PLACES).fill(1)
  const step = ({ choices, right }: Example): void => {
    const chances = probabilities(weights, choices)
    const mass = chances.reduce((sum, chance, index) => sum + (right[index] ? chance : 0), 0)
    if (mass > 0.999 || mass === 0) return
    choices.forEach((features, index) => {
      const chance = chances[index] ?? 0
      const gradient = chance - (right[index] ? chance / mass : 0)
      if (Math.abs(gradient) < 1e-4) return
      for (const place of features) {
        const weight = weights[place] ?? 0
        const slope = gradient + decay * weight
        const square = (squares[place] ?? 1) + slope * slope
        squares[place] = square
        weights[place] = weight - (rate * slope) / Math.sqrt(square)
      }
    })
  }
  for (let round = 0; round < rounds; round += 1) {
    const shuffled = examples.map((example, index) => ({ example, place: placeOf(`${round} ${index}`) }))
    for (const { example } of shuffled.sort((one, other) => one.place - other.place)) step(example)
  }
  return weights
}

/** Packs the weights into one byte each, as committed. */
export function packed(weights: Float32Array): Int8Array {
  return Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / STEP))))
}
