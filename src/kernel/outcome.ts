/** The result of a function that can refuse: either a value or a reason. Bugs and outages are thrown instead. */
export type Outcome<Value, Reason extends string> = { ok: true; value: Value } | { ok: false; reason: Reason }

export function done<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

export function refused<Reason extends string>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}
