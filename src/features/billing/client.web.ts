import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#platform/api.web.ts'
import { showStored } from '#platform/query.web.ts'
import {
  CancelSubscription,
  type Interval,
  OpenPortal,
  type Plan,
  ReadPlan,
  ReadPrices,
  RefreshPlan,
  ResumeSubscription,
  StartCheckout,
} from './plan.ts'

const PLAN = ['plan']
const show = (plan: Plan) => showStored(PLAN, plan)

export function usePlan() {
  return useQuery({ queryKey: PLAN, queryFn: ({ signal }) => call(ReadPlan, {}, { signal }) })
}

export function usePrices() {
  return useQuery({
    queryKey: ['prices'],
    queryFn: ({ signal }) => call(ReadPrices, {}, { signal }),
    staleTime: 600_000,
  })
}

export function useCheckout() {
  return useMutation({
    mutationFn: (interval: Interval) => call(StartCheckout, { interval }),
    onSuccess: ({ url }) => location.assign(url),
  })
}

export function usePortal() {
  return useMutation({ mutationFn: () => call(OpenPortal, {}), onSuccess: ({ url }) => location.assign(url) })
}

/** Cancels at the end of the paid period, or undoes the cancellation. */
export function useCancel() {
  return useMutation({
    mutationFn: (isCancelled: boolean) => call(isCancelled ? CancelSubscription : ResumeSubscription, {}),
    onSuccess: show,
  })
}

/** Tells the server to read the plan from the provider again. */
export function useRefreshPlan() {
  return useMutation({ mutationFn: () => call(RefreshPlan, {}), onSuccess: show })
}
