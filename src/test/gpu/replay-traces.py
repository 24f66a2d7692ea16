"""PyTorch profiler traces of small training steps of two ranks, on a GPU each or on one (second-gpu.c), for collect-replays.sh.

Use: python3 replay-traces.py OUT
Writes OUT/CASE.rankR.json.gz. PyTorch 2.11.
"""
import os
import sys

CASES = ["tensor", "sequence", "pipeline", "mix"]
STEPS = 3


def profiled(torch, dist, out, case, rank, step, mark=False):
    from torch.profiler import ProfilerActivity, profile

    for _ in range(2):
        step()
    torch.cuda.synchronize()
    dist.barrier()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:
        for _ in range(STEPS):
            step()
            if mark:
                prof.step()
        torch.cuda.synchronize()
    prof.export_chrome_trace(f"{out}/{case}.rank{rank}.json.gz")


def tensor(torch, dist, out, case, rank):
    """Megatron's tensor parallel MLP and attention output: all-reduce after each row linear."""
    import torch.nn.functional as F

    dev = torch.device("cuda", torch.cuda.current_device())
    torch.manual_seed(rank)

    class Enter(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            g = g.contiguous()
            dist.all_reduce(g)
            return g

    class Leave(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            dist.all_reduce(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g

    hidden, layers, tokens = 2048, 6, 4096
    make = lambda a, b: torch.nn.Parameter(torch.randn(a, b, device=dev, dtype=torch.bfloat16) * 0.02)
    w = [(make(hidden * 2, hidden), make(hidden, hidden * 2)) for _ in range(layers)]
    opt = torch.optim.SGD([p for pair in w for p in pair], lr=1e-4)
    x = torch.randn(tokens, hidden, device=dev, dtype=torch.bfloat16)

    def step():
        for length in (tokens, 512, 33):
            h = x[:length].clone().requires_grad_()
            for a, b in w:
                h = h + Leave.apply(F.linear(F.gelu(F.linear(Enter.apply(h), a)), b))
            loss = h.float().pow(2).mean()
            dist.all_reduce(loss.detach().clone())
            loss.backward()
        opt.step()
        opt.zero_grad()

    profiled(torch, dist, out, case, rank, step, mark=True)


def sequence(torch, dist, out, case, rank):
    """Sequence parallel: all-gather before the column linear, reduce-scatter after the row linear."""
    import torch.nn.functional as F

    dev = torch.device("cuda", torch.cuda.current_device())
    torch.manual_seed(rank)

    def gather(x):
        y = torch.empty(x.shape[0] * 2, x.shape[1], device=dev, dtype=x.dtype)
        dist.all_gather_into_tensor(y, x.contiguous())
        return y

    def scatter(x):
        y = torch.empty(x.shape[0] // 2, x.shape[1], device=dev, dtype=x.dtype)
        dist.reduce_scatter_tensor(y, x.contiguous())
        return y

    class Gather(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return gather(x)

        @staticmethod
        def backward(ctx, g):
            return scatter(g)

    class Scatter(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return scatter(x)

        @staticmethod
        def backward(ctx, g):
            return gather(g)

    hidden, layers = 3072, 5
    make = lambda a, b: torch.nn.Parameter(torch.randn(a, b, device=dev, dtype=torch.bfloat16) * 0.02)
    w = [(make(hidden * 2, hidden), make(hidden, hidden * 2)) for _ in range(layers)]
    norms = [torch.nn.Parameter(torch.ones(hidden, device=dev, dtype=torch.bfloat16)) for _ in range(layers)]
    opt = torch.optim.SGD([p for pair in w for p in pair] + norms, lr=1e-4)
    x = torch.randn(4096, hidden, device=dev, dtype=torch.bfloat16)

    def step():
        for length in (4096, 768, 32):
            h = x[:length].clone().requires_grad_()
            for (a, b), n in zip(w, norms):
                h = h + Scatter.apply(F.linear(F.gelu(F.linear(Gather.apply(F.rms_norm(h, (hidden,), n)), a)), b))
            h.float().pow(2).mean().backward()
        for n in norms:
            dist.all_reduce(n.grad)
        opt.step()
        opt.zero_grad()

    profiled(torch, dist, out, case, rank, step)


def pipeline(torch, dist, out, case, rank):
    """Two pipeline stages, six microbatches, one forward and one backward in turn."""
    import torch.nn.functional as F

    dev = torch.device("cuda", torch.cuda.current_device())
    hidden, layers, tokens, micro = 3072, 4, 2048, 6
    make = lambda: torch.nn.Parameter(torch.randn(hidden, hidden, device=dev, dtype=torch.bfloat16) * 0.02)
    w = [make() for _ in range(layers)]
    opt = torch.optim.SGD(w, lr=1e-4)

    def stage(h):
        for a in w:
            h = F.gelu(F.linear(h, a))
        return h

    def exchange(send=None, want=False):
        ops = []
        got = torch.empty(tokens, hidden, device=dev, dtype=torch.bfloat16) if want else None
        if send is not None:
            ops.append(dist.P2POp(dist.isend, send, 1 - rank))
        if want:
            ops.append(dist.P2POp(dist.irecv, got, 1 - rank))
        for r in dist.batch_isend_irecv(ops):
            r.wait()
        return got

    x = torch.randn(tokens, hidden, device=dev, dtype=torch.bfloat16)

    def step():
        if rank == 0:
            held = [stage(x)]
            exchange(send=held[0].detach())
            for m in range(1, micro):
                held.append(stage(x))
                g = exchange(send=held[-1].detach(), want=True)
                held[m - 1].backward(g)
            held[-1].backward(exchange(want=True))
        else:
            h = exchange(want=True).requires_grad_()
            for m in range(micro):
                stage(h).float().pow(2).mean().backward()
                if m + 1 < micro:
                    h = exchange(send=h.grad, want=True).requires_grad_()
                else:
                    exchange(send=h.grad)
        # plain send and recv, too: the loss's scale goes to the first stage
        t = torch.ones(1, device=dev)
        if rank == 0:
            dist.recv(t, 1)
        else:
            dist.send(t, 0)
        opt.step()
        opt.zero_grad()

    profiled(torch, dist, out, case, rank, step, mark=True)


def mix(torch, dist, out, case, rank):
    """Several process groups over the same GPUs: tensor, data, expert and pipeline parallel calls in one step."""
    import torch.nn.functional as F

    dev = torch.device("cuda", torch.cuda.current_device())
    groups = {n: dist.new_group([0, 1], group_desc=n) for n in ("tp", "dp", "ep", "pp")}
    hidden, layers, tokens = 2048, 4, 4096
    make = lambda a, b: torch.randn(a, b, device=dev, dtype=torch.bfloat16) * 0.02
    w = [(make(hidden * 2, hidden), make(hidden, hidden * 2)) for _ in range(layers)]
    expert = make(hidden, hidden)
    x = torch.randn(tokens, hidden, device=dev, dtype=torch.bfloat16)
    grads = [torch.randn(n, device=dev) for n in (1 << 22, 5 << 20, 3000000)]
    small = [torch.randn(n, device=dev, dtype=torch.bfloat16) for n in (1000, 20000, 300000)]

    def step():
        h = x
        for a, b in w:
            y = F.linear(F.gelu(F.linear(h, a)), b)
            dist.all_reduce(y, group=groups["tp"])
            mine = [1024, 3072] if rank == 0 else [2048, 2048]
            other = [1024, 2048] if rank == 0 else [3072, 2048]
            z = torch.empty(sum(other), hidden, device=dev, dtype=torch.bfloat16)
            dist.all_to_all_single(z, y, other, mine, group=groups["ep"])
            z = F.linear(z, expert)
            back = torch.empty_like(y)
            dist.all_to_all_single(back, z, mine, other, group=groups["ep"])
            h = h + back
        ops = [
            dist.P2POp(dist.isend, h, 1 - rank, groups["pp"]),
            dist.P2POp(dist.irecv, torch.empty_like(h), 1 - rank, groups["pp"]),
        ]
        for r in dist.batch_isend_irecv(ops):
            r.wait()
        # gradients in the background of a product
        works = [dist.all_reduce(g, group=groups["dp"], async_op=True) for g in grads]
        for _ in range(3):
            F.linear(h, w[0][0])
        for k in works:
            k.wait()
        for g in grads:
            dist.all_reduce(g, op=dist.ReduceOp.AVG, group=groups["dp"])
        with dist._coalescing_manager(group=groups["dp"], device=dev):
            for s in small:
                dist.all_reduce(s, group=groups["dp"])
        dist.all_reduce(torch.ones(1, device=dev))
        dist.broadcast(grads[2], src=0, group=groups["dp"])
        dist.reduce(small[2], dst=0, group=groups["dp"])
        parts = [torch.empty_like(small[1]) for _ in range(2)]
        dist.all_gather(parts, small[1], group=groups["dp"])
        dist.barrier()

    profiled(torch, dist, out, case, rank, step, mark=True)


def worker(rank, out, case, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE="2", LOCAL_RANK="0")
    import torch
    import torch.distributed as dist

    gpu = rank if torch.cuda.device_count() > 1 else 0
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl", rank=rank, world_size=2, device_id=torch.device("cuda", gpu))
    globals()[case](torch, dist, out, case, rank)
    torch.cuda.synchronize()
    dist.barrier()
    dist.destroy_process_group()


def main():
    import torch.multiprocessing as mp

    out = sys.argv[1]
    for i, case in enumerate(CASES):
        mp.spawn(worker, args=(out, case, 29510 + i), nprocs=2, join=True)


if __name__ == "__main__":
    main()
