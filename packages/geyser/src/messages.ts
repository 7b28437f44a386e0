export * from './messages/request.ts';
export * from './messages/transaction.ts';
export * from './messages/update.ts';
