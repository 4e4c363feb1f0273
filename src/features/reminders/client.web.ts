// React hooks for the page of an emailed question.
import { useMutation, useQuery } from '@tanstack/react-query'
import type { InputOf } from '#kernel/endpoint.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { AnswerClassQuestion, OpenClassQuestions } from './class-question.ts'

const keyOf = (token: string) => ['class-questions', token]

export function useClassQuestions(token: string) {
  return useQuery({
    queryKey: keyOf(token),
    enabled: token !== '',
    retry: false,
    queryFn: ({ signal }) => call(OpenClassQuestions, { token }, { signal }),
  })
}

/** Answers about one class, and reads the others again: someone may have answered meanwhile. */
export function useAnswerClass(token: string) {
  return useMutation({
    mutationFn: (input: Omit<InputOf<typeof AnswerClassQuestion>, 'token'>) =>
      call(AnswerClassQuestion, { token, ...input }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(token) }),
  })
}
