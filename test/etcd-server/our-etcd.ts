import { join } from 'node:path';

export const ourEtcd = join(import.meta.dirname, '../../bin/etcd');
