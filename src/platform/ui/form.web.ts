import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import * as z from 'zod/mini'

/** Checks a form with a schema: the first issue of each field becomes its error, and the form's values stay as typed. */
export function schemaResolver<Fields extends FieldValues>(schema: z.core.$ZodType): Resolver<Fields> {
  return (values) => {
    const result = z.safeParse(schema, values)
    if (result.success) return { values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const issue of result.error.issues) {
      const field = String(issue.path[0] ?? 'root')
      errors[field] ??= { type: issue.code ?? 'custom', message: issue.message }
    }
    return { values: {}, errors: errors as FieldErrors<Fields> }
  }
}
