"""One short output per block parser, as the tool prints it: what each must claim, and all others leave alone."""

from __future__ import annotations

# long: quoted outputs
SAMPLES: dict[str, str] = {
    "amd_smi": """
GPU: 0
    ASIC:
        MARKET_NAME: AMD Instinct MI300X OAM: 750W SKU
        VENDOR_ID: 0x1002
    USAGE:
        GFX_ACTIVITY: 97 %
        MM_ACTIVITY: [0 %, N/A]
    CLOCK:
        GFX_0:
            CLK: 132 MHz
            MAX_CLK: 2100 MHz
    TEMPERATURE:
        EDGE: N/A
        HOTSPOT: 88 °C
    ECC:
        TOTAL_CORRECTABLE_COUNT: 5
        TOTAL_UNCORRECTABLE_COUNT: 1
    MEM_USAGE:
        TOTAL_VRAM: 196592 MB
        USED_VRAM: 183009 MB
    PROCESS_INFO:
        NAME: sglang::scheduler_TP0
        PID: 61200
        MEMORY_USAGE:
            GTT_MEM: 2.0 MB
            VRAM_MEM: 178.5 GB
        MEM_USAGE: 178.5 GB

GPU: 1
    BDF: 0000:26:00.0
    UUID: 89ff74b5-0000-1000-80c1-fb66fcc143d2
""",
    "amd_smi_table": """
| AMD-SMI 26.2.0+021c61fc      amdgpu version: 6.16.6   ROCm version: 7.1.1    |
| VBIOS version: 00159017                                                      |
| Platform: Linux Guest                                                        |
|-------------------------------------+----------------------------------------|
| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |
| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |
|=====================================+========================================|
| 0000:ff:00.0 AMD Instinct MI300X VF | 0 %      37 °C   2           141/750 W |
|   0       0       2        SPX/NPS1 | 93 %       N/A        183009/196288 MB |
|-------------------------------------+----------------------------------------|
| 0000:f4:00.0    AMD Instinct MI355X | N/A        N/A   0          N/A/1400 W |
|   7       4       3        SPX/NPS1 | N/A        N/A           283/294896 MB |
+-------------------------------------+----------------------------------------+
+------------------------------------------------------------------------------+
| Processes:                                                                   |
|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |
|==============================================================================|
|    0      61200  sglang::scheduler...   2.0 MB  178.5 GB   178.5 GB    98.7 % |
+------------------------------------------------------------------------------+
""",
    "cgroup": """
memory.max:107374182400
memory.current:97104826880
memory.swap.max:0
memory.events:low 0
memory.events:high 0
memory.events:max 39214
memory.events:oom 2
memory.events:oom_kill 2
""",
    "check_env": """
Python: 3.10.12 (main, Nov 20 2023, 15:14:05) [GCC 11.4.0]
CUDA available: True
GPU 0,1: NVIDIA H100 80GB HBM3
CUDA Driver Version: 550.90.07
PyTorch: 2.8.0+cu129
sglang: 0.5.2
flashinfer_python: Module Not Found
""",
    "crictl": """
CONTAINER           IMAGE               CREATED              STATE               NAME                ATTEMPT             POD ID              POD
93b10093a8263       bea2d277eb715       About a minute ago   Exited              sglang              3                   19d971fe5c478       llm-0
471d75b135b5b       90e50eece96ef       9 days ago           Running             envoy               0                   19d971fe5c478       llm-0
""",
    "curl": """
HTTP/1.1 200 OK
date: Fri, 20 Mar 2026 01:40:18 GMT
server: uvicorn
content-length: 0
""",
    "date": "Fri Dec 19 14:23:21 UTC 2025",
    "df": """
Filesystem      Size  Used Avail Use% Mounted on
overlay         100G  100G     0 100% /
/dev/md0        7.0T  2.1T  4.9T  31% /models
tmpfs            64G  1.2M   64G   1% /dev/shm
""",
    "docker_events": """
2026-02-17T10:02:01.123456789Z container start 3be1c0aabbcc3be1c0aabbcc (image=lmsysorg/sglang:v0.5.9, name=sgl)
2026-02-17T10:05:09.123456789Z container oom 3be1c0aabbcc3be1c0aabbcc (image=lmsysorg/sglang:v0.5.9, name=sgl)
2026-02-17T10:05:10.123456789Z container die 3be1c0aabbcc3be1c0aabbcc (execDuration=189, exitCode=137, image=lmsysorg/sglang:v0.5.9, name=sgl)
2026-02-17T10:05:10.223456789Z network disconnect 5be1c0aabbcc (container=3be1c0aabbcc3be1c0aabbcc, name=bridge, type=bridge)
2026-02-17T10:05:12.423456789Z container exec_create: /bin/sh -c curl -f http://localhost:30000/health 3be1c0aabbcc3be1c0aabbcc (execID=aa, image=lmsysorg/sglang:v0.5.9, name=sgl)
""",
    "docker_inspect": """
    "Id": "3be1c0",
    "State": {
      "Status": "exited",
      "Running": false,
      "OOMKilled": false,
      "ExitCode": 137,
      "Error": "",
      "FinishedAt": "2025-12-02T20:44:12.7Z"
    },
    "HostConfig": {
      "Memory": 107374182400,
      "ShmSize": 34359738368
    },
    "Name": "/sgl"
  }
]
""",
    "docker_ps": """
CONTAINER ID   IMAGE                          COMMAND                  CREATED        STATUS                      PORTS     NAMES
3be1c0aabbcc   lmsysorg/sglang:v0.5.9-cu129   "python3 -m sglang.l…"   2 hours ago    Exited (137) 2 minutes ago             sgl
3be1c0aabbcd   redis                          "redis-server"           2 hours ago    Up 2 hours (healthy)        6379/tcp  cache
""",
    "docker_run": """
docker run -d --gpus all --ipc=host -m 100g --memory-swap=100g --shm-size 32g \\
  lmsysorg/sglang:v0.5.9 python3 -m sglang.launch_server --model-path /models/m --tp 8
""",
    "docker_stats": """
CONTAINER ID   NAME      CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           BLOCK I/O         PIDS
3be1c0aabbcc   sgl       800.12%   98.5GiB / 100GiB      98.50%    1.2GB / 3.4GB     0B / 0B           421
""",
    "env": """
HOME=/root
http_proxy=http://proxy.example:3128
NCCL_DEBUG=WARN
HF_TOKEN=hf_abcdef
""",
    "free": """
               total        used        free      shared  buff/cache   available
Mem:             449         439           8           0           0           9
Swap:              0           0           0
""",
    "gpustat": """
[0] NVIDIA A100-SXM4-80GB | 41'C,   0 % | 74110 / 81920 MB | user(70000M)
[1] NVIDIA A100-SXM4-80GB | 42'C,  99 % | 74110 / 81920 MB |
""",
    "gpustat_json": """
    "hostname": "gpu-1",
    "driver_version": "550.90.07",
    "query_time": "2026-02-17T10:05:12.123456",
    "gpus": [
        {
            "index": 0,
            "uuid": "GPU-0a1b2c3d-0000-1111-2222-333344445555",
            "name": "NVIDIA H100 80GB HBM3",
            "temperature.gpu": 41,
            "fan.speed": null,
            "utilization.gpu": 99,
            "utilization.enc": 0,
            "utilization.dec": 0,
            "power.draw": 412,
            "enforced.power.limit": 700,
            "memory.used": 70012,
            "memory.total": 81559,
            "processes": [
                {
                    "username": "root",
                    "command": "sglang::scheduler_TP0",
                    "full_command": [
                        "sglang::scheduler_TP0"
                    ],
                    "gpu_memory_usage": 70000,
                    "cpu_percent": 101.2,
                    "cpu_memory_usage": 12345678,
                    "pid": 61200
                }
            ]
        },
        {
            "index": 1,
            "uuid": "GPU-0a1b2c3d-0000-1111-2222-333344445556",
            "name": "NVIDIA H100 80GB HBM3",
            "temperature.gpu": 35,
            "fan.speed": null,
            "utilization.gpu": 0,
            "utilization.enc": 0,
            "utilization.dec": 0,
            "power.draw": 112,
            "enforced.power.limit": 700,
            "memory.used": 4,
            "memory.total": 81559,
            "processes": []
        }
    ]
}
""",
    "grafana_csv": """
"Time","node_memory_MemAvailable_bytes{instance=""gpu-1:9100""}"
2026-02-17 10:06:00,400000000000
2026-02-17 10:07:00,9663676416
""",
    "ibdev2netdev": """
mlx5_0 port 1 ==> ib0 (Up)
mlx5_2 port 1 ==> ens3f0np0 (Down)
""",
    "ibstat": """
CA 'mlx5_0'
	CA type: MT4129
	Number of ports: 1
	Port 1:
		State: Active
		Physical state: LinkUp
		Rate: 400
		Link layer: InfiniBand
""",
    "iostat": """
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.11    0.00    0.42   12.01    0.00   86.46

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util
nvme0n1        812.00 207872.00     0.00   0.00   18.20   256.00    3.00     24.00     3.00  50.00    0.67     8.00    0.00      0.00     0.00   0.00    0.00     0.00    1.00    1.00   14.78  99.80
sda              0.01      0.12     0.00   0.00    0.30    10.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00    0.00   0.00


avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.11    0.00    0.42   12.01    0.00   86.46

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util
nvme0n1        802.00 205312.00     0.00   0.00   18.20   256.00    3.00     24.00     3.00  50.00    0.67     8.00    0.00      0.00     0.00   0.00    0.00     0.00    1.00    1.00   14.78 100.00
""",
    "ip_addr": """
1: lo: <LOOPBACK,UP> mtu 65536
    inet 127.0.0.1/8 scope host lo
3: eno1: <BROADCAST,MULTICAST,UP> mtu 1500
    inet 192.0.2.12/24 scope global eno1
4: ib0: <BROADCAST,MULTICAST> mtu 4092
""",
    "ipcs": """
------ Message Queues --------
key        msqid      owner      perms      used-bytes   messages

------ Shared Memory Segments --------
key        shmid      owner      perms      bytes      nattch     status
0x00000000 32768      root       600        4194304    2          dest
0x6c6c6536 5          root       600        1073741824 0

------ Semaphore Arrays --------
key        semid      owner      perms      nsems
0x002fa327 0          root       666        2
""",
    "kernel_log": """
[Thu Aug 27 20:57:57 2026] python3 invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
[Thu Aug 27 20:57:57 2026] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=docker-34ce.scope,mems_allowed=0-5,oom_memcg=/system.slice/docker-34ce.scope,task_memcg=/system.slice/docker-34ce.scope,task=python3,pid=1361510,uid=0
[Thu Aug 27 20:57:57 2026] Memory cgroup out of memory: Killed process 1361510 (python3) total-vm:407004kB, anon-rss:387072kB, file-rss:0kB, shmem-rss:0kB
""",
    "kubectl_describe": """
Name:             sgl-qwen-0
Namespace:        serving
Containers:
  sglang:
    Image:         lmsysorg/sglang:v0.5.6.post2
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Thu, 18 Dec 2025 04:59:48 +0000
      Finished:     Thu, 18 Dec 2025 05:04:51 +0000
    Restart Count:  4
    Limits:
      memory:          64Gi
      nvidia.com/gpu:  4
    Liveness:       http-get http://:30000/health delay=600s timeout=25s period=30s #success=1 #failure=4
Events:
  Type     Reason     Age                    From     Message
  ----     ------     ----                   ----     -------
  Warning  Unhealthy  4m10s (x4 over 5m40s)  kubelet  Liveness probe failed: HTTP probe failed with statuscode: 503
  Normal   Killing    4m10s                  kubelet  Container sglang failed liveness probe, will be restarted
""",
    "kubectl_get": """
LAST SEEN   TYPE      REASON      OBJECT      MESSAGE
4m10s       Warning   Unhealthy   pod/llm-0   Startup probe failed: connection refused
4m10s       Normal    Killing     pod/llm-0   Container sglang failed startup probe, will be restarted
""",
    "kubectl_json": """
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "sgl-0"
    },
    "status": {
        "containerStatuses": [
            {
                "lastState": {
                    "terminated": {
                        "exitCode": 137,
                        "finishedAt": "2025-12-18T05:04:51Z",
                        "reason": "OOMKilled"
                    }
                },
                "name": "sglang",
                "restartCount": 4
            }
        ]
    }
}
""",
    "kubectl_top": """
NAMESPACE   NAME    CPU(cores)   MEMORY(bytes)
serving     sgl-0   7912m        431289Mi
""",
    "lsblk": """
NAME        MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS
nvme0n1     259:0    0   3.5T  0 disk
├─nvme0n1p1 259:1    0     1G  0 part /boot/efi
""",
    "lscpu": """
Architecture:            x86_64
  CPU op-mode(s):        32-bit, 64-bit
  Address sizes:         46 bits physical, 57 bits virtual
CPU(s):                  128
  On-line CPU(s) list:   0-127
Vendor ID:               GenuineIntel
  Model name:            Intel(R) Xeon(R) Platinum 8480+
    CPU family:          6
    Thread(s) per core:  2
    Core(s) per socket:  32
    Socket(s):           2
    CPU max MHz:         3800.0000
    Flags:               fpu vme de pse tsc msr
Virtualization features:
  Virtualization:        VT-x
Caches (sum of all):
  L1d:                   3 MiB (64 instances)
  L3:                    210 MiB (2 instances)
NUMA:
  NUMA node(s):          2
  NUMA node0 CPU(s):     0-31,64-95
  NUMA node1 CPU(s):     32-63,96-127
Vulnerabilities:
  Spectre v2:            Mitigation; Enhanced / Automatic IBRS
  Tsx async abort:       Not affected
""",
    "lsmem": """
RANGE                                  SIZE  STATE REMOVABLE  BLOCK
0x0000000000000000-0x000000007fffffff    2G online       yes      0
0x0000000100000000-0x000000707fffffff  446G online       yes 2-224

Memory block size:         2G
Total online memory:     448G
Total offline memory:      0B
""",
    "lsof": """
COMMAND  PID USER   FD   TYPE DEVICE SIZE/OFF NODE NAME
python3 4100 root   41u  IPv4 123456      0t0  TCP *:30000 (LISTEN)
python3 4100 root   42u  IPv4 123457      0t0  TCP 127.0.0.1:5000->127.0.0.1:6000 (ESTABLISHED)
""",
    "manifest": """
apiVersion: v1
kind: Pod
metadata:
  name: llm-0
spec:
  containers:
  - name: sglang
    image: lmsysorg/sglang:v0.5.9
    command: ["python3", "-m", "sglang.launch_server"]
    args:
    - --model-path=/models/m
    - --tp
    - "8"
    resources:
      limits:
        memory: 400Gi
        nvidia.com/gpu: 8
    startupProbe:
      httpGet: {path: /health, port: 30000}
      periodSeconds: 10
      failureThreshold: 60
""",
    "meminfo": """
MemTotal:       131072000 kB
MemFree:        8808038 kB
MemAvailable:   12477947 kB
Cached:          5522108 kB
Shmem:             88120 kB
SwapTotal:       2097152 kB
SwapFree:        1048576 kB
HugePages_Total:   50176
HugePages_Free:    50170
Hugepagesize:       2048 kB
""",
    "metrics": """
# HELP sglang:num_running_reqs The number of running requests.
# TYPE sglang:num_running_reqs gauge
sglang:num_running_reqs{model_name="m",tp_rank="0"} 12.0
sglang:e2e_request_latency_seconds_sum{model_name="m"} 1.5e+03
""",
    "mount": """
tmpfs on /dev/shm type tmpfs (rw,nosuid,nodev,size=65536k,inode64)
192.0.2.40:/export/m on /models type nfs4 (rw,relatime,vers=4.2)
""",
    "netstat": """
Proto Recv-Q Send-Q Local Address           Foreign Address         State       PID/Program name
tcp        0      0 0.0.0.0:30000           0.0.0.0:*               LISTEN      4100/python3
tcp        0      0 127.0.0.1:5000          127.0.0.1:6000          ESTABLISHED 4100/python3
tcp6       0      0 :::22                   :::*                    LISTEN      -
""",
    "npu_smi": """
| npu-smi 24.1.rc3                 Version: 24.1.rc3                                             |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B3               | OK            | 97.6        40                0    / 0             |
| 0                         | 0000:C1:00.0  | 7           0    / 0          59874/ 65536         |
+===========================+===============+====================================================+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| 0       0                 | 12345         | python3                  | 59000                   |
""",
    "numastat": """
Per-node system memory usage (in MBs):
                          Node 0          Node 1           Total
                 --------------- --------------- ---------------
MemTotal               257562.21       258021.12       515583.33
MemFree                  1243.81       120034.50       121278.31
Active(anon)               10.00           20.00           30.00
""",
    "numactl": """
available: 2 nodes (0-1)
node 0 cpus: 0 1 2 3
node 0 size: 257562 MB
node 0 free: 1243 MB
node distances:
node   0   1
  0:  10  21
  1:  21  10
""",
    "nvidia_list": """
GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0a1b2c3d-0000-1111-2222-333344445555)
GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-0a1b2c3d-0000-1111-2222-333344445556)
""",
    "nvidia_smi": """
| NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|=========================================+========================+======================|
|   0  NVIDIA H200               On   | 00000000:1B:00.0 Off |                    2 |
| N/A   38C    P0              320W /  700W |   101243MiB / 143771MiB |     97%      Default |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A      61200      C   sglang::scheduler_DP0_TP0_EP0             101010MiB |
+-----------------------------------------------------------------------------------------+
""",
    "nvidia_smi_csv": """
index, name, memory.total [MiB], memory.used [MiB], utilization.gpu [%], clocks_throttle_reasons.active
0, NVIDIA H100 80GB HBM3, 81559 MiB, 71200 MiB, 100 %, 0x0000000000000048
""",
    "nvidia_smi_rows": """
0, NVIDIA H100 80GB HBM3, 81559 MiB, 71200 MiB, 9879 MiB, 100 %
1, NVIDIA H100 80GB HBM3, 81559 MiB, 4 MiB, 81075 MiB, 0 %
61200, sglang::scheduler_TP0, 70010 MiB
""",
    "nvidia_smi_q": """
GPU 00000000:75:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    FB Memory Usage
        Total                             : 81559 MiB
        Used                              : 71200 MiB
    ECC Errors
        Volatile
            DRAM Uncorrectable            : 2
    Clocks Event Reasons
        Idle                              : Not Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
    Clocks
        SM                                : 435 MHz
    Max Clocks
        SM                                : 1980 MHz
    Processes
        Process ID                        : 61200
            Name                          : sglang::scheduler_TP5
            Used GPU Memory               : 70010 MiB
""",
    "nvidia_topo": """
	GPU0	GPU1	NIC0	CPU Affinity
GPU0	 X 	NV18	PIX	0-31
GPU1	NV18	 X 	SYS	0-31
NIC0	PIX	SYS	 X
""",
    "pip": """
flashinfer-python==0.3.1
sglang==0.5.2
torch==2.8.0
""",
    "proc_status": """
Name:	python3
Umask:	0022
State:	D (disk sleep)
Pid:	4170
PPid:	4100
VmRSS:	15010000 kB
RssShmem:	  212380 kB
""",
    "pressure": """
some avg10=61.90 avg60=40.11 avg300=12.00 total=331202311
full avg10=58.02 avg60=38.40 avg300=11.52 total=310022010
""",
    "prometheus_json": """
{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"node_memory_MemAvailable_bytes","instance":"gpu-1:9100"},"values":[[1771322760,"400000000000"],[1771322820,"9663676416"]]}]}}
""",
    "ps": """
USER         PID    PPID STAT %CPU   RSS     ELAPSED CMD
root        4100       1 Ssl   0.4   1980440   00:21:21 python3 -m sglang.launch_server --model-path /models/m --tp 4
root        4172    4100 Z    12.1         0   00:21:07 [sglang::schedul] <defunct>
""",
    "ray_memory": """
9 Workers killed due to memory pressure (OOM)
node 1934.01 / 1996.03 GB (0.969) vs the 95% threshold of MemTotal 2,143,217,684,480 B. Top-10: sglang::scheduler_TP0..7
""",
    "rocm_smi": """
GPU[0]		: Card Series: 		AMD Instinct MI355X
GPU[0]		: VRAM Total Memory (B): 309220868096
GPU[0]		: VRAM Total Used Memory (B): 272921260032
""",
    "sar": """
Linux 5.15.0-86-generic (host-1) \t12/19/2025 \t_x86_64_\t(128 CPU)

12:00:01 AM kbmemfree   kbavail kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit  kbactive   kbinact   kbdirty
12:10:01 AM  88081408 230686720 250609664     66.39     20480  28311552 310378496     82.22 180355072  20971520       312
11:50:01 PM   8388608  12582912 360710144     95.56     20480   6291456 410378496    108.72 290355072  10971520         0
Average:     48235008 121634816 305659904     80.97     20480  17301504 360378496     95.47 235355072  15971520       156
""",
    "server_info": """
{"model_path":"/models/m","tp_size":2,"mem_fraction_static":0.88,"status":"ready","max_total_num_tokens":20000,"internal_states":[{"last_gen_throughput":812.5}],"version":"0.5.5.post3"}
""",
    "slurm": """
JobID           JobName  Partition    Account  AllocCPUS      State ExitCode
------------ ---------- ---------- ---------- ---------- ---------- --------
88121             infer        gpu       root        128 OUT_OF_ME+    0:125
88122             infer        gpu       root        128    TIMEOUT      0:0
""",
    "slurm_job": """
JobId=88121 JobName=infer
   UserId=u(1001) GroupId=g(1001) MCS_label=N/A
   JobState=OUT_OF_MEMORY Reason=OutOfMemory Dependency=(null)
   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:125
   StartTime=2026-02-17T10:02:00 EndTime=2026-02-17T10:12:41 Deadline=N/A
   TRES=cpu=64,mem=400G,node=1,billing=64,gres/gpu=8
""",
    "smaps_rollup": """
55d0c0000000-7fffc0000000 ---p 00000000 00:00 0                          [rollup]
Rss:            112640000 kB
Shared_Clean:        1000 kB
Private_Dirty:  110000000 kB
Anonymous:      110000000 kB
Swap:                   0 kB
""",
    "smem": """
  PID User     Command                         Swap      USS      PSS      RSS
 4170 root     sglang::scheduler_TP0              0 14000000 14500000 15010000
""",
    "ss": """
State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process
LISTEN 0      2048         0.0.0.0:30000      0.0.0.0:*     users:(("python3",pid=4100,fd=41))
ESTAB  0      0          127.0.0.1:5000     127.0.0.1:6000  users:(("python3",pid=4100,fd=42))
""",
    "systemctl": """
● sglang.service - SGLang server
     Loaded: loaded (/etc/systemd/system/sglang.service; enabled; preset: enabled)
     Active: failed (Result: oom-kill) since Tue 2026-02-17 10:12:41 UTC; 2min ago
   Main PID: 4100 (code=killed, signal=KILL)
     Memory: 98.0G (max: 100.0G available: 2.0G)
""",
    "systemd_cgtop": """
Control Group                                                                 Tasks   %CPU   Memory  Input/s Output/s
/                                                                              3412      -   441.2G        -        -
system.slice                                                                   1290      -   401.1G        -        -
system.slice/docker-3be1c0aabbccdd.scope                                        812      -   398.0G        -        -
system.slice/docker.service                                                      64      -     1.2G        -        -
system.slice/ssh.service                                                          -      -     8.1M        -        -
user.slice                                                                       22      -    12.4G        -        -
user.slice/user-1000.slice/session-3.scope                                        9      -    12.0G        -        -
""",
    "top": """
top - 15:54:13 up 39 min,  0 user,  load average: 5.40, 6.54, 5.38
Tasks: 104 total,  10 running,  89 sleeping,   0 stopped,   5 zombie
%Cpu(s): 84.2 us, 15.8 sy,  0.0 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  24105.6 total,  16207.2 free,   2511.1 used,   5721.5 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.  21594.5 avail Mem

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
 5330 root      20   0 5086552   4.1g 211716 R  72.0   3.0   0:13.62 sglang::schedul
""",
    "py_spy": """
Process 4175: sglang::scheduler_TP5
Python v3.10.12 (/usr/bin/python3.10)

Thread 4175 (idle): "MainThread"
    all_reduce (torch/distributed/distributed_c10d.py:2810)
    writing_check (sglang/srt/mem_cache/hiradix_cache.py:304)
""",
    "ulimit": """
max locked memory           (kbytes, -l) 65536
open files                          (-n) 1024
max user processes                  (-u) unlimited
""",
    "uptime": " 15:54:13 up 39 min,  0 user,  load average: 5.40, 6.54, 5.38",
    "vmstat": """
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
53  0      0 1829688 546056 5312848    0    0    22   103    0    0 27 12 60  0  0
24  1     64 1764004 546056 5312872    8   16     0   196 51070 317194 31 14 55  2  0
""",
}
