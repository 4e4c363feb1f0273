// React hooks for changing prices of pairs. They're read with the students (ListStudents).
import { useMutation } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { type PriceFields, toPrice } from './price-form.ts'
import { AddPrice, DeletePrice, type ListedPrice, UpdatePrice } from './price.ts'

const refresh = () => queryClient.invalidateQueries()

/** Adds a price, or changes the given one. */
export function useSavePrice(price: ListedPrice | undefined) {
  return useMutation({
    mutationFn: ({ fields, idempotencyKey }: { fields: PriceFields; idempotencyKey: string }) => {
      const { student_id: _student, tutor_id: _tutor, ...changes } = toPrice(fields)
      return price
        ? call(UpdatePrice, changes, { id: price.id, version: price.version })
        : call(AddPrice, toPrice(fields), { idempotencyKey })
    },
    onSuccess: refresh,
  })
}

export function useDeletePrice() {
  return useMutation({
    mutationFn: ({ id, version }: ListedPrice) => call(DeletePrice, {}, { id, version }),
    onSuccess: refresh,
  })
}
