// How sure the whole reading is, in the three words of the product.
import { SURE } from './spoken-name.ts'
import type { Chosen } from './role.ts'

/** What was heard, and what was odd about it. */
export interface Reading {
  student: Chosen | null
  tutor: Chosen | null
  hasMinutes: boolean
  /** Money was said; `hasRate` when it came to a rate. */
  saidMoney: boolean
  hasRate: boolean
  /** Words of correcting, several sessions, a future day, an approximate time, or numbers that nothing was made of. */
  doubts: number
}

/**
 * `high`: a student and a tutor on the lists by name or nickname, a length of time, a rate wherever money was said, and no doubt at all.
 * `low`: no length of time, or neither the student nor the tutor. `medium`: everything between.
 */
export function confidenceOf({
  student,
  tutor,
  hasMinutes,
  saidMoney,
  hasRate,
  doubts,
}: Reading): 'high' | 'medium' | 'low' {
  const sure = (chosen: Chosen | null): boolean =>
    chosen !== null && chosen.id !== null && chosen.score >= SURE
  if (sure(student) && sure(tutor) && hasMinutes && (!saidMoney || hasRate) && doubts === 0) return 'high'
  return !hasMinutes || (student?.id == null && tutor?.id == null) ? 'low' : 'medium'
}
