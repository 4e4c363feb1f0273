// What was typed outlives a reload, a wrong tap and a lost login; sending it or signing out forgets it.
import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/** The kept values of a form, or undefined. */
export function readDraft<Values>(name: string): Values | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(`draft:${name}`) ?? 'null') as Values | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps values that were not typed into the form itself. */
export function keepDraft(name: string, values: unknown): void {
  sessionStorage.setItem(`draft:${name}`, JSON.stringify(values))
}

export function forgetDraft(name: string): void {
  sessionStorage.removeItem(`draft:${name}`)
}

/** Keeps a form's values while they are typed. */
export function useDraft<Values extends FieldValues>(name: string, form: UseFormReturn<Values>): void {
  const { watch } = form
  useEffect(() => {
    const { unsubscribe } = watch((values, { type }) => {
      if (type === 'change') sessionStorage.setItem(`draft:${name}`, JSON.stringify(values))
    })
    return unsubscribe
  }, [name, watch])
}
